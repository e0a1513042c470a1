// Loaded on first use, because few requests need it.
import Provider, { errors, interactionPolicy } from 'oidc-provider';

/**
 * Loads the library without its console warning that Node.js 20 is untested. The tests of this service run every flow
 * on it.
 */
export function loadLibrary(): typeof Provider {
  /* eslint-disable no-console -- silences the library's warning while it loads */
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
