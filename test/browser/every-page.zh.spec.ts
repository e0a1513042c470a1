import { describeEveryPage } from './every-page';

describe('every page in Chinese', () => {
  describeEveryPage('zh-CN');
});
