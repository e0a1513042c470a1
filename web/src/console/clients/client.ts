import type { components } from '../../api/schema';

export type Client = components['schemas']['ClientDto'];

export interface ClientPartProps {
  readonly client: Client;
  readonly editable: boolean;
  /** Called with the client as it was stored. */
  readonly onSaved: (client: Client) => void;
}
