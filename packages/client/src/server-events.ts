/** One server-sent event (WHATWG HTML §9.2). */
export interface ServerEvent {
  readonly type: string;
  readonly data: string;
}

const valueOf = (line: string, field: string): string | undefined =>
  line.startsWith(`${field}: `) ? line.slice(field.length + 2) : undefined;

function readEvent(block: string): ServerEvent {
  const lines = block.split('\n');
  const first = (field: string): string => lines.map((line) => valueOf(line, field)).find(Boolean) ?? '';
  return { type: first('event'), data: first('data') };
}

/** Reads the events of a stream until it ends, or until nothing has arrived for so long. Closes it afterwards. */
export async function* readEvents(body: ReadableStream<Uint8Array>, silenceMs: number): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const close = (): void => void reader.cancel().catch(() => undefined);
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(close, silenceMs);
      const { done, value } = await reader.read().finally(() => {
        clearTimeout(timer);
      });
      if (done) return;
      const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield readEvent(block);
    }
  } finally {
    close();
  }
}
