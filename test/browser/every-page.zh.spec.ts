import { describeEveryPage } from './every-page';

describe('every page in Chinese is readable, fits and breaks no rule of its content policy', () => {
  describeEveryPage('zh-CN');
});
