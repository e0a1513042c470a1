// Loaded with its first use: few requests need it.
import Provider, { errors, interactionPolicy } from 'oidc-provider';

/**
 * Loads the library without a word on the console, where it would call Node.js 20 untried; every flow is tried on it here.
 */
export function loadLibrary(): typeof Provider {
  /* eslint-disable no-console -- the library's own channel, held for the moment of its loading */
  const { warn } = console;
  console.warn = () => undefined;
  try {
    return Provider;
  } finally {
    console.warn = warn;
  }
  /* eslint-enable no-console */
}

export { errors, interactionPolicy, Provider };
