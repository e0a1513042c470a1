import { Injectable } from '@nestjs/common';
import { PATH_METADATA } from '@nestjs/common/constants';
import { DiscoveryService } from '@nestjs/core';
import { API_CONTROLLER } from '../access';

/** Which addresses of the application are the service's: those below its controllers' paths, or all of them. */
@Injectable()
export class OwnPaths {
  private readonly prefixes: string[] = [];
  private everything = false;

  constructor(private readonly discovery: DiscoveryService) {}

  /** To be called once the application's modules are built. */
  collect({ everything }: { everything: boolean }): void {
    this.everything = everything;
    for (const { metatype } of this.discovery.getControllers()) {
      if (!metatype || !Reflect.getMetadata(API_CONTROLLER, metatype)) continue;
      const path = Reflect.getMetadata(PATH_METADATA, metatype) as string;
      this.prefixes.push(`/${path}`);
    }
  }

  has(url: string): boolean {
    if (this.everything) return true;
    const path = url.split('?', 1)[0] ?? '';
    return this.prefixes.some((prefix) => path === prefix || path.startsWith(`${prefix}/`));
  }
}
