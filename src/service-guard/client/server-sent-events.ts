/** An event of `text/event-stream`. */
export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/** Longer than any event of Castellan. */
const MAX_EVENT_LENGTH = 1_000_000;

/** Reads the fields of a block that Castellan writes: one `event` and one `data` line. */
function eventOf(block: string): ServerSentEvent {
  const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^[^:]*: ?/, '')]));
  return { type: fields.get('event') ?? 'message', data: fields.get('data') ?? '' };
}

/** Splits a stream into events (WHATWG HTML §9.2.6). Throws for an event of more than a million characters. */
export async function* serverSentEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const blocks = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    if (rest.length > MAX_EVENT_LENGTH) throw new Error('An event of the stream is too long');
    for (const block of blocks) yield eventOf(block);
  }
}
