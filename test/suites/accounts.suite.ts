import { loadSuite } from './load-suite';

loadSuite('accounts');
