import { attachContext, contextOf, currentRequest, findContext, RequestContext, runInRequest } from './request-context';

const context = { requestId: 'one' } as RequestContext;

describe('RequestContext', () => {
  it('is found only on the request it is attached to', () => {
    const request = {};
    attachContext(request, context);
    expect(contextOf(request)).toBe(context);
    expect(findContext({})).toBeUndefined();
    expect(() => contextOf({})).toThrow('call installHttp(app)');
  });

  it('is not visible among the properties of the request', () => {
    expect(Object.keys(attached())).toEqual([]);
    expect(JSON.stringify(attached())).toBe('{}');
  });

  it('is current for all work of the request, also asynchronous, and for nothing else', async () => {
    expect(currentRequest()).toBeUndefined();
    const seen = await runInRequest(context, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentRequest();
    });
    expect(seen).toBe(context);
    expect(currentRequest()).toBeUndefined();
  });

  it('does not mix with the context of a parallel request', async () => {
    const other = { requestId: 'two' } as RequestContext;
    const ask = (of: RequestContext) =>
      runInRequest(of, async () => {
        await Promise.resolve();
        return currentRequest()?.requestId;
      });
    expect(await Promise.all([ask(context), ask(other)])).toEqual(['one', 'two']);
  });
});

function attached(): object {
  const request = {};
  attachContext(request, context);
  return Object.fromEntries(Object.entries(request));
}
