// The workflow that is being written on the page below: who starts it from anywhere starts it as it stands there.

type OpenDraft = {
  readonly name: string;
  readonly isUnsaved: () => boolean;
  /** False: it cannot be saved, and why was told. */
  readonly save: () => Promise<boolean>;
};

let opened: OpenDraft | null = null;

/** Gives what takes it back. */
export function offerDraft(draft: OpenDraft): () => void {
  opened = draft;
  return () => {
    if (opened === draft) opened = null;
  };
}

/** What is written of this workflow and not saved yet. */
export function findUnsaved(name: string): OpenDraft | undefined {
  return opened?.name === name && opened.isUnsaved() ? opened : undefined;
}
