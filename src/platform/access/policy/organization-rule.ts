import { PATH_METADATA } from '@nestjs/common/constants';
import type { AccessPolicy, OrganizationRule } from './policy';

/** A route that may have `@InOrganization()`. */
export interface OrganizationRoute {
  /** `Controller.method`, for messages. */
  readonly name: string;
  readonly policy: AccessPolicy | undefined;
  readonly organization: OrganizationRule | undefined;
  /** Of controller and method, with its parameters. */
  readonly path: string;
}

/** The path of a route, from that of its controller and that of its method. */
export const pathOf = (controller: object, handler: object): string =>
  [controller, handler].flatMap((part) => Reflect.getMetadata(PATH_METADATA, part) as string[]).join('/');

/** Finds `@InOrganization()` without a permission to check, or with a parameter that the path does not have. */
export function misplacedOrganizationIn({ name, policy, organization, path }: OrganizationRoute): string[] {
  if (!organization || !policy) return [];
  if (policy.kind !== 'permission') {
    return [
      `@InOrganization() on ${name} has no effect: use it with @RequirePermission, whose permissions are checked there`,
    ];
  }
  const { parameter } = organization;
  if (parameter === undefined || path.split('/').includes(`:${parameter}`)) return [];
  return [
    `@InOrganization() on ${name} names the parameter ${parameter}, which is not in the path: write :${parameter}`,
  ];
}
