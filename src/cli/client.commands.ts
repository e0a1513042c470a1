import {
  ClientCreationService,
  ClientDto,
  clientDto,
  ClientsService,
  CreateClientDto,
  createdClientDto,
  GRANT_TYPES,
  ListClientsDto,
} from '../oauth';
import { OPERATOR, operatorFor } from '../platform/context';
import { ProblemError } from '../platform/errors';
import { checkInput } from '../platform/http/input';
import { presentMembers } from '../platform/util';
import { Command, CommandError, Invocation } from './command';
import { asQuery, numberedPage, withCursor } from './numbered-pages';
import { choiceOption, flag, integerOption, isGiven, listOf, listOptions, textOf, textOption } from './option';
import { ColumnsOf, print, printList } from './output';
import { clientArgument, findClient, findOrganizationId, findUser } from './targets';

const A_WEEK = 604_800;

const clientColumns: ColumnsOf<ClientDto> = {
  id: ({ id }) => id,
  client_id: ({ client_id: clientId }) => clientId,
  name: ({ name }) => name,
  status: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
};

const list: Command = {
  name: 'client list',
  summary: 'List the OAuth clients of all users, newest first: id, client_id, name and status',
  example: 'client list --limit 100 --json',
  printsData: true,
  options: {
    ...listOptions,
    organization: textOption('ORGANIZATION', 'Only clients of this organization, a slug or an id'),
  },
  check: numberedPage,
  async run(invocation) {
    const page = numberedPage(invocation);
    const organizationId = await organizationOf(invocation);
    const query = checkInput(ListClientsDto, presentMembers({ ...asQuery(page), organization_id: organizationId }));
    const { items, ...rest } = await invocation.service.get(ClientsService).list(OPERATOR, query);
    printList(invocation, withCursor(page, { items: items.map(clientDto), ...rest }), clientColumns);
  },
};

async function organizationOf(invocation: Invocation): Promise<string | undefined> {
  const text = textOf(invocation, 'organization');
  return text === undefined ? undefined : findOrganizationId(invocation.service, text);
}

async function creationOf(invocation: Invocation): Promise<CreateClientDto> {
  const organizationId = await organizationOf(invocation);
  return checkInput(
    CreateClientDto,
    presentMembers({
      name: invocation.words[0],
      description: textOf(invocation, 'description'),
      redirect_uris: listOf(invocation, 'redirect-uri'),
      post_logout_redirect_uris: listOf(invocation, 'post-logout-redirect-uri'),
      grant_types: listOf(invocation, 'grant-type'),
      scopes: listOf(invocation, 'scope'),
      is_public: isGiven(invocation, 'public') ? true : undefined,
      organization_id: organizationId,
    }),
  );
}

/** The operator passes the owner's authority, so the default text about the caller's rights would mislead. */
function explainOwner(owner: string, { organization_id: organizationId }: CreateClientDto) {
  return (error: unknown): never => {
    if (!(error instanceof ProblemError) || error.code !== 'escalation_denied') throw error;
    const tie = organizationId === undefined ? '' : ', or may not tie clients to the organization';
    throw new CommandError(`${owner} does not hold every permission among the scopes${tie}.`);
  };
}

const create: Command = {
  name: 'client create',
  summary:
    'Register an OAuth client for a user, who must hold the permissions among its scopes. Prints its secret once',
  example: 'client create Reports --owner ann --redirect-uri https://reports.example.com/callback',
  printsData: true,
  arguments: [{ name: 'NAME', summary: 'Shown to users on the consent page', field: 'name' }],
  options: {
    owner: textOption('USER', 'The owner', { isRequired: true }),
    'redirect-uri': textOption('URI', 'Compared exactly. May be repeated', { isList: true, field: 'redirect_uris' }),
    'post-logout-redirect-uri': textOption('URI', 'Where the browser may go after a logout. May be repeated', {
      isList: true,
      field: 'post_logout_redirect_uris',
    }),
    'grant-type': choiceOption(GRANT_TYPES, 'May be repeated. Default: authorization_code and refresh_token', {
      isList: true,
      field: 'grant_types',
    }),
    scope: textOption('SCOPE', 'A scope or permission. May be repeated. Default: openid', {
      isList: true,
      field: 'scopes',
    }),
    organization: textOption('ORGANIZATION', 'Ties the client to this organization, a slug or an id', {
      field: 'organization_id',
    }),
    description: textOption('TEXT', 'For administrators'),
    public: flag('It cannot keep a secret, as in a browser or mobile app'),
  },
  async run(invocation) {
    const { service } = invocation;
    const body = await creationOf(invocation);
    const { user } = await findUser(service, textOf(invocation, 'owner') ?? '');
    const caller = operatorFor({ userId: user.id, username: user.username });
    const { client, secret } = await service
      .get(ClientCreationService)
      .create(caller, body)
      .catch(explainOwner(user.username, body));
    print(invocation, createdClientDto(client, secret), [
      `Created ${client.name} (${client.id}).`,
      `client_id: ${client.clientId}`,
      ...secretLines(secret),
    ]);
  },
};

const secretLines = (secret: string | undefined): string[] =>
  secret === undefined ? [] : [`Secret, shown only now: ${secret}`];

const rotate: Command = {
  name: 'client rotate',
  summary: 'Replace the secret of an OAuth client and print the new one once',
  example: 'client rotate 01980c6e-4f3a-7c21-9d5b-2e8f60a1b3c4 --overlap 3600 --yes',
  printsData: true,
  arguments: [clientArgument],
  options: {
    overlap: integerOption('SECONDS', { min: 0, max: A_WEEK }, 'How long the previous secret stays valid. Default: 0', {
      field: 'overlap_seconds',
    }),
  },
  question: ({ words }) => `Replace the secret of the client ${words[0]}?`,
  async run(invocation) {
    const { service, words } = invocation;
    const client = await findClient(service, words[0] ?? '');
    if (client.isPublic) throw new CommandError(`The client "${client.name}" is public and has no secret.`);
    const overlap = Number(textOf(invocation, 'overlap') ?? '0');
    const secret = await service.get(ClientsService).rotateSecret(OPERATOR, client.id, overlap);
    const data = { id: client.id, client_id: client.clientId, client_secret: secret, overlap_seconds: overlap };
    print(invocation, data, secretLines(secret));
  },
};

export const clientCommands: readonly Command[] = [list, create, rotate];
