import { ProviderSimulator } from './simulator';
import { vendors } from './vendors';

/* eslint-disable no-console -- what it prints is for whoever started it */
async function main(): Promise<void> {
  const simulator = await ProviderSimulator.start(Number(process.env['PORT'] ?? 4700));
  console.log(`Providers at ${simulator.url}. Every visitor is ${simulator.person().name} and consents.`);
  console.log('Bodies for POST /api/oauth/provider:\n');
  for (const { template } of vendors) console.log(`${JSON.stringify(simulator.configuration(template))}\n`);
}
/* eslint-enable no-console */

void main();
