import { loadSuite } from './load-suite';

loadSuite('providers');
