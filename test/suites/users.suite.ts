import { loadSuite } from './load-suite';

loadSuite('users');
