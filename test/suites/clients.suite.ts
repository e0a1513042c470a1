import { loadSuite } from './load-suite';

loadSuite('clients');
