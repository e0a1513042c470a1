import { loadSuite } from './load-suite';

loadSuite('sessions');
