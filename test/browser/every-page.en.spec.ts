import { describeEveryPage } from './every-page';

describe('every page in English is readable, fits and breaks no rule of its content policy', () => {
  describeEveryPage('en-GB');
});
