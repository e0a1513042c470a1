import { describeEveryPage } from './every-page';

describe('every page in English', () => {
  describeEveryPage('en-GB');
});
