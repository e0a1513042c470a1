import { loadSuite } from './load-suite';

loadSuite('factors');
