import { loadSuite } from './load-suite';

loadSuite('platform');
