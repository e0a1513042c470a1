import { createCastellanClient } from 'castellan-client';
import { pageLanguage } from '../shared/language';

/** API client of all pages. Responses use the page's language. An expired access token is refreshed transparently. */
export const api = createCastellanClient({ baseUrl: location.origin, language: pageLanguage });
