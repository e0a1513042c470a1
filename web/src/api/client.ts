import { createCastellanClient } from 'castellan-client';
import { pageLanguage } from '../shared/language';

/** Every call of the pages: answers speak the page's language, and an access token that ended is renewed unseen. */
export const api = createCastellanClient({ baseUrl: location.origin, language: pageLanguage });
