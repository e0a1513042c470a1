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

  it('cannot be given by what a client sends', () => {
    expect(Object.keys(attached())).toEqual([]);
    expect(JSON.stringify(attached())).toBe('{}');
  });

  it('is known to all that is done for it, also later, and to nobody else', async () => {
    expect(currentRequest()).toBeUndefined();
    const seen = await runInRequest(context, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return currentRequest();
    });
    expect(seen).toBe(context);
    expect(currentRequest()).toBeUndefined();
  });

  it('stays apart from that of a request beside it', async () => {
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
