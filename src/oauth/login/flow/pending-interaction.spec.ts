import type { FastifyRequest } from 'fastify';
import { interactionIn, noteInteraction, notedInteraction } from './pending-interaction';

describe('interactionIn', () => {
  it.each([
    ['/login?interaction=abc', 'abc'],
    ['/login?x=1&interaction=abc#part', 'abc'],
    ['/login?interaction=', undefined],
    ['/account', undefined],
    ['https://elsewhere.example/login?interaction=abc', undefined],
    ['//elsewhere.example/login?interaction=abc', undefined],
    ['http://[', undefined],
  ])('reads %s', (path, interaction) => {
    expect(interactionIn(path)).toBe(interaction);
  });
});

describe('notedInteraction', () => {
  it('is that of the request', () => {
    const [one, other] = [{} as FastifyRequest, {} as FastifyRequest];
    noteInteraction(one, '/login?interaction=abc');
    noteInteraction(other, '/account');
    expect([notedInteraction(one), notedInteraction(other)]).toEqual(['abc', undefined]);
  });
});
