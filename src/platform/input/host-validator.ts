import { createRequire } from 'node:module';
import { declaredClasses } from './declared-fields';

interface Declaration {
  readonly target: unknown;
  readonly propertyName: string;
}

/** What is asked of class-validator here; it is the host's, so its types are not at hand. */
interface Validator {
  registerDecorator(declaration: Declaration & { options: object; validator: { validate: () => boolean } }): void;
  getMetadataStorage(): {
    getTargetValidationMetadatas(target: unknown, schema: string, always: boolean, strict: boolean): Declaration[];
  };
}

const named = new WeakSet<object>();

/** The one that NestJS itself would load; undefined where nobody has loaded it, and so no pipe judges by it. */
function loadedValidator(): Validator | undefined {
  try {
    const byNest = createRequire(createRequire(__filename).resolve('@nestjs/common'));
    const file = byNest.resolve('class-validator');
    return file in require.cache ? (byNest(file) as Validator) : undefined;
  } catch {
    // It is not installed.
    return undefined;
  }
}

function refuseForeignRules(validator: Validator, target: { readonly name: string }): void {
  const found = validator.getMetadataStorage().getTargetValidationMetadatas(target, '', false, false);
  const own = found.find((declaration) => declaration.target === target);
  if (!own) return;
  throw new Error(`${target.name}.${own.propertyName} has a rule of class-validator, which would not count there`);
}

/**
 * Names the fields of our classes to class-validator where a host uses it. Its `ValidationPipe` for the whole application sees
 * our input as well, after it was checked, and would refuse or drop fields of classes that it does not know. To be called once
 * every class is loaded; what the fields may hold stays our rules' to say.
 */
export function nameFieldsToHostValidator(): void {
  const validator = loadedValidator();
  if (!validator) return;
  for (const [target, fields] of declaredClasses()) {
    if (named.has(target)) continue;
    refuseForeignRules(validator, target);
    named.add(target);
    for (const propertyName of fields.keys()) {
      validator.registerDecorator({ target, propertyName, options: {}, validator: { validate: () => true } });
    }
  }
}
