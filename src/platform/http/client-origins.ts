/** Knows the origins of registered clients, whose pages may call the protocol routes from a browser. */
export abstract class ClientOrigins {
  /** Whether the origin belongs to a registered client. */
  abstract isClientOrigin(origin: string): Promise<boolean>;
}
