import { loadSuite } from './load-suite';

loadSuite('database_outages');
