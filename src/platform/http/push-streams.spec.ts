import { once } from 'node:events';
import { PushStreams } from './push-streams';

const limits = { maxStreams: 3, maxStreamsOfOwner: 2, maxMs: 60_000 };
const thrown = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('PushStreams', () => {
  it('formats events and ends', async () => {
    const stream = new PushStreams<{ ownerId: string }>(limits).open({ ownerId: 'ann' });
    stream.push('change', { at: 1 });
    stream.end();
    stream.push('late', {});
    const chunks: unknown[] = [];
    for await (const chunk of stream.events) chunks.push(String(chunk));
    expect(chunks.join('')).toBe('event: change\ndata: {"at":1}\n\n');
  });

  it('limits the streams of an owner and of the process, until one closes', async () => {
    const streams = new PushStreams<{ ownerId: string }>(limits);
    const first = streams.open({ ownerId: 'ann' });
    streams.open({ ownerId: 'ann' });
    expect(thrown(() => streams.open({ ownerId: 'ann' }))).toMatchObject({ code: 'rate_limited' });
    streams.open({ ownerId: 'bob' });
    expect(thrown(() => streams.open({ ownerId: 'cat' }))).toMatchObject({ code: 'rate_limited' });
    const closed = once(first.events, 'close');
    first.events.destroy();
    await closed;
    expect(streams.open({ ownerId: 'cat' }).isOver).toBe(false);
  });

  it('disconnects a reader that does not read', async () => {
    const streams = new PushStreams<{ ownerId: string }>(limits);
    const stream = streams.open({ ownerId: 'ann' });
    const closed = once(stream.events, 'close');
    for (let count = 0; count < 3; count++) stream.pushJson('change', `"${'x'.repeat(40_000)}"`);
    await closed;
    expect(streams.size).toBe(0);
  });

  it('frees the place of a reader that does not read the end', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
    try {
      const streams = new PushStreams<{ ownerId: string }>(limits);
      const stream = streams.open({ ownerId: 'ann' });
      const closed = once(stream.events, 'close');
      stream.push('heartbeat', {});
      stream.end();
      jest.advanceTimersByTime(10_000);
      await closed;
      expect(streams.size).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('ends all streams and opens no other when the service stops', () => {
    const streams = new PushStreams<{ ownerId: string }>({ ...limits, maxMs: 0 });
    const stream = streams.open({ ownerId: 'ann' });
    expect(stream.isOver).toBe(true);
    streams.stop();
    expect(stream.events.closed || (stream.events as { writableEnded?: boolean }).writableEnded).toBe(true);
    expect(thrown(() => streams.open({ ownerId: 'ann' }))).toMatchObject({ code: 'unavailable' });
  });
});
