// What `stepwell help exit-codes` prints.

export const exitCodesText = `0    it worked; the run completed
1    the run failed, or something unexpected happened
2    the command was not understood
3    there is no such file, store, run or step
5    the store cannot be used
6    the flow or its input is wrong
7    the run was cancelled
8    the wait timed out; the run goes on
10   refused: somebody was quicker, or the state does not allow it
130  interrupted`;
