type Ask = (origin: string) => Promise<boolean>;

/** Knows whose pages may call the protocol routes from a browser. Who knows the clients stands further right and binds itself. */
export class ClientOrigins {
  private ask: Ask = async () => false;

  bind(ask: Ask): void {
    this.ask = ask;
  }

  isKnown(origin: string): Promise<boolean> {
    return this.ask(origin);
  }
}
