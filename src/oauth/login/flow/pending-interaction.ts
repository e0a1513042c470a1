import type { FastifyRequest } from 'fastify';

const BASE = 'https://own.invalid';
const interactions = new WeakMap<FastifyRequest, string>();

/** The interaction of an application's login that a path of this service continues, if any. */
export function interactionIn(path: string): string | undefined {
  const url = URL.canParse(path, BASE) ? new URL(path, BASE) : undefined;
  return (url?.origin === BASE && url.searchParams.get('interaction')) || undefined;
}

/** Records what the error page needs: with the interaction, a popup stays connected to the application. */
export function noteInteraction(request: FastifyRequest, path: string): void {
  const interaction = interactionIn(path);
  if (interaction !== undefined) interactions.set(request, interaction);
}

export const notedInteraction = (request: FastifyRequest): string | undefined => interactions.get(request);
