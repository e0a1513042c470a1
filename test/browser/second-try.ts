// At once, so that the test finds what it left behind, and not what later tests made of it.
jest.retryTimes(1, { retryImmediately: true, logErrorsBeforeRetry: true });
