import { attachContext, contextOf, currentRequest, findContext, RequestContext, runInRequest } from './request-context';

const context = { requestId: 'one' } as RequestContext;

describe('the context of a request', () => {
  it('is found on the request it was attached to, and on no other', () => {
    const request = {};
    attachContext(request, context);
    expect(contextOf(request)).toBe(context);
    expect(findContext({})).toBeUndefined();
    expect(() => contextOf({})).toThrow('call installHttp(app)');
  });

  it('cannot be set by a client', () => {
    expect(Object.keys(attached())).toEqual([]);
    expect(JSON.stringify(attached())).toBe('{}');
  });

  it('is visible to all work of the request, also later, and to no other', async () => {
    expect(currentRequest()).toBeUndefined();
    const seen = await runInRequest(context, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentRequest();
    });
    expect(seen).toBe(context);
    expect(currentRequest()).toBeUndefined();
  });

  it("stays apart from a parallel request's", async () => {
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
