// Stands in for the lock of a schema in the control: everybody gets it, and nobody is ended for it.

export async function tryLock(): Promise<boolean> {
  return true;
}

export async function unlock(): Promise<void> {}

export async function endLost(): Promise<void> {}

export async function isTaken(): Promise<boolean> {
  return false;
}
