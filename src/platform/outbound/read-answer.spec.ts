import { Readable } from 'node:stream';
import { Dispatcher } from 'undici';
import { readBeginning } from './read-answer';

const answerOf = (body: Readable, headers: Record<string, string> = {}): Dispatcher.ResponseData =>
  ({ statusCode: 200, headers, body }) as unknown as Dispatcher.ResponseData;

function* breakingOff(): Generator<Buffer> {
  yield Buffer.from('begun');
  throw new Error('The connection was lost');
}

describe('readBeginning', () => {
  it.each<[string, Dispatcher.ResponseData, string, boolean]>([
    ['a short response', answerOf(Readable.from([Buffer.from('{}')])), '{}', true],
    ['an empty response', answerOf(Readable.from([])), '', true],
    ['a response of the limit', answerOf(Readable.from([Buffer.alloc(16_384, 'x')])), 'x'.repeat(16_384), true],
    ['a longer response', answerOf(Readable.from([Buffer.alloc(16_385, 'x')])), 'x'.repeat(16_384), false],
    ['a response that breaks off', answerOf(Readable.from(breakingOff())), 'begun', false],
    ['a compressed response', answerOf(Readable.from([Buffer.from('x')]), { 'content-encoding': 'gzip' }), '', false],
  ])('knows of %s whether it is whole', async (_, response, text, isWhole) => {
    await expect(readBeginning(response)).resolves.toMatchObject({ text, isWhole });
  });
});
