import { CreateUsers1760000000000 } from './1760000000000-create-users';
import { CreateRoles1760000001000 } from './1760000001000-create-roles';
import { CreateSessions1760000002000 } from './1760000002000-create-sessions';
import { CreateSettings1760000003000 } from './1760000003000-create-settings';
import { CreateAudit1760000004000 } from './1760000004000-create-audit';
import { CreatePermissionCatalogue1760000100000 } from './1760000100000-create-permission-catalogue';
import { CreateSettingHistory1760000200000 } from './1760000200000-create-setting-history';
import { SearchUsers1760000300000 } from './1760000300000-search-users';
import { CreateVerificationCodes1760001000000 } from './1760001000000-create-verification-codes';
import { CreateMessageDeliveries1760001001000 } from './1760001001000-create-message-deliveries';
import { CreateMessageTemplates1760001002000 } from './1760001002000-create-message-templates';
import { CreateLoginProviders1760002000000 } from './1760002000000-create-login-providers';
import { CreateIdentities1760002001000 } from './1760002001000-create-identities';
import { CreateOauthClients1760003000000 } from './1760003000000-create-oauth-clients';
import { CreateOauthArtifacts1760003000100 } from './1760003000100-create-oauth-artifacts';
import { CreateSecondFactors1760004000000 } from './1760004000000-create-second-factors';
import { NameClaimsOfSubjects1760005000000 } from './1760005000000-name-claims-of-subjects';
import { KeepWhatFollowsSecondFactors1760005001000 } from './1760005001000-keep-what-follows-second-factors';
import { CreateActivityHours1760006000000 } from './1760006000000-create-activity-hours';
import { EndTokensOfClients1760006001000 } from './1760006001000-end-tokens-of-clients';
import { CreateImportedUsers1760007100000 } from './1760007100000-create-imported-users';
import { PurgeSessionsInTime1760008000000 } from './1760008000000-purge-sessions-in-time';
import { IndexSessionsByWhatStays1760008000100 } from './1760008000100-index-sessions-by-what-stays';
import { RefreshSessionsInPlace1760008000200 } from './1760008000200-refresh-sessions-in-place';
import { FindUnconfirmedFactors1760009000000 } from './1760009000000-find-unconfirmed-factors';
import { NameWholePermissionsInAudit1760009001000 } from './1760009001000-name-whole-permissions-in-audit';
import { KeepLogoutNotices1760010000000 } from './1760010000000-keep-logout-notices';
import { KeepNamesOfCookies1760011000000 } from './1760011000000-keep-names-of-cookies';
import { ReviewIdentitiesAtResets1760012000000 } from './1760012000000-review-identities-at-resets';
import { FitClientsOfOthers1760020000000 } from './1760020000000-fit-clients-of-others';
import { JudgeIntrospectionRights1760021000000 } from './1760021000000-judge-introspection-rights';
import { GiveClientsAccessAndClaims1760030000000 } from './1760030000000-give-clients-access-and-claims';
import { OrderAuditByCommit1760040000000 } from './1760040000000-order-audit-by-commit';
import { CreateWebhooks1760040001000 } from './1760040001000-create-webhooks';
import { CreateGroups1760050000000 } from './1760050000000-create-groups';
import { SearchAnyPartOfAName1760060000000 } from './1760060000000-search-any-part-of-a-name';
import { KeepNamesBesideADomain1760061000000 } from './1760061000000-keep-names-beside-a-domain';
import { ChainAuditEvents1760070000000 } from './1760070000000-chain-audit-events';
import { CreateAuditSinks1760071000000 } from './1760071000000-create-audit-sinks';
import { SendSecurityEvents1760072000000 } from './1760072000000-send-security-events';
import { CreateEventConsumers1760125000000 } from './1760125000000-create-event-consumers';
import { KeepHostDeclarations1760126000000 } from './1760126000000-keep-host-declarations';
import { CreateOrganizations1760130000000 } from './1760130000000-create-organizations';
import { CreateInvitations1760134000000 } from './1760134000000-create-invitations';
import { CreateOrganizationDomains1760135000000 } from './1760135000000-create-organization-domains';
import { CountAuditRejections1760136000000 } from './1760136000000-count-audit-rejections';
import { RememberRemovedMembers1760137000001 } from './1760137000001-remember-removed-members';
import { CreateAvatarPictures1760139000000 } from './1760139000000-create-avatar-pictures';
import { NameGroupsByOrganization1760146000000 } from './1760146000000-name-groups-by-organization';
import { TieClientsToOrganizations1760147000000 } from './1760147000000-tie-clients-to-organizations';
import { RememberImportedOrganizations1760149000000 } from './1760149000000-remember-imported-organizations';
import { LetUsersActAsOthers1760153000000 } from './1760153000000-let-users-act-as-others';
import { RequireSecondFactorsOfMembers1760155000000 } from './1760155000000-require-second-factors-of-members';
import { GiveProvidersAnOrganization1760156000000 } from './1760156000000-give-providers-an-organization';
import { FindFailuresInAudit1760157000000 } from './1760157000000-find-failures-in-audit';
import { GiveOrganizationsSettings1760160000000 } from './1760160000000-give-organizations-settings';
import { GiveRolesAnOrganization1760161000000 } from './1760161000000-give-roles-an-organization';
import { NameOrganizationsInAudit1760162000000 } from './1760162000000-name-organizations-in-audit';
import { ListAuditByOrganization1760162000500 } from './1760162000500-list-audit-by-organization';
import { KeepJoinsByDomain1760162001000 } from './1760162001000-keep-joins-by-domain';
import { RecordAcceptedTerms1760163000000 } from './1760163000000-record-accepted-terms';
import { LetAccountsAwaitDeletion1760164000000 } from './1760164000000-let-accounts-await-deletion';
import { FindAccountsToDelete1760164000500 } from './1760164000500-find-accounts-to-delete';
import { CountAccounts1760164001000 } from './1760164001000-count-accounts';
import { NameRolesOfOrganizations1760166000000 } from './1760166000000-name-roles-of-organizations';
import { KeepRolesOfOrganizationsInside1760166001000 } from './1760166001000-keep-roles-of-organizations-inside';
import { CheckGivenRoles1760166002000 } from './1760166002000-check-given-roles';
import { CheckGivenRolesOnce1760166003000 } from './1760166003000-check-given-roles-once';
import { KnowWhoDisabledClients1760167000000 } from './1760167000000-know-who-disabled-clients';
import { LetMembershipsAwaitTheirUser1760169000000 } from './1760169000000-let-memberships-await-their-user';
import { FindRootsOfDrops1760170000000 } from './1760170000000-find-roots-of-drops';
import { KnowWhoSetDomainRules1760171000000 } from './1760171000000-know-who-set-domain-rules';
import { ReserveFormerSlugs1760171001000 } from './1760171001000-reserve-former-slugs';
import { KeepCodesOfEachRequest1760173000000 } from './1760173000000-keep-codes-of-each-request';
import { KnowWhoSetWebhooks1760175000000 } from './1760175000000-know-who-set-webhooks';
import { LetProvidersBeWithoutUserinfo1760181000000 } from './1760181000000-let-providers-be-without-userinfo';
import { KeepFormerUsernames1760182000000 } from './1760182000000-keep-former-usernames';
import { GiveUsersAttributes1760184000000 } from './1760184000000-give-users-attributes';
import { FindLocksInAudit1760185000000 } from './1760185000000-find-locks-in-audit';

/** All migrations in order, also for embedding applications. */
export const migrations = [
  CreateUsers1760000000000,
  CreateRoles1760000001000,
  CreateSessions1760000002000,
  CreateSettings1760000003000,
  CreateAudit1760000004000,
  CreatePermissionCatalogue1760000100000,
  CreateSettingHistory1760000200000,
  SearchUsers1760000300000,
  CreateVerificationCodes1760001000000,
  CreateMessageDeliveries1760001001000,
  CreateMessageTemplates1760001002000,
  CreateLoginProviders1760002000000,
  CreateIdentities1760002001000,
  CreateOauthClients1760003000000,
  CreateOauthArtifacts1760003000100,
  CreateSecondFactors1760004000000,
  NameClaimsOfSubjects1760005000000,
  KeepWhatFollowsSecondFactors1760005001000,
  CreateActivityHours1760006000000,
  EndTokensOfClients1760006001000,
  CreateImportedUsers1760007100000,
  PurgeSessionsInTime1760008000000,
  IndexSessionsByWhatStays1760008000100,
  RefreshSessionsInPlace1760008000200,
  FindUnconfirmedFactors1760009000000,
  NameWholePermissionsInAudit1760009001000,
  KeepLogoutNotices1760010000000,
  KeepNamesOfCookies1760011000000,
  ReviewIdentitiesAtResets1760012000000,
  FitClientsOfOthers1760020000000,
  JudgeIntrospectionRights1760021000000,
  GiveClientsAccessAndClaims1760030000000,
  OrderAuditByCommit1760040000000,
  CreateWebhooks1760040001000,
  CreateGroups1760050000000,
  SearchAnyPartOfAName1760060000000,
  KeepNamesBesideADomain1760061000000,
  ChainAuditEvents1760070000000,
  CreateAuditSinks1760071000000,
  SendSecurityEvents1760072000000,
  CreateEventConsumers1760125000000,
  KeepHostDeclarations1760126000000,
  CreateOrganizations1760130000000,
  CreateInvitations1760134000000,
  CreateOrganizationDomains1760135000000,
  CountAuditRejections1760136000000,
  RememberRemovedMembers1760137000001,
  CreateAvatarPictures1760139000000,
  NameGroupsByOrganization1760146000000,
  TieClientsToOrganizations1760147000000,
  RememberImportedOrganizations1760149000000,
  LetUsersActAsOthers1760153000000,
  RequireSecondFactorsOfMembers1760155000000,
  GiveProvidersAnOrganization1760156000000,
  FindFailuresInAudit1760157000000,
  GiveOrganizationsSettings1760160000000,
  GiveRolesAnOrganization1760161000000,
  NameOrganizationsInAudit1760162000000,
  ListAuditByOrganization1760162000500,
  KeepJoinsByDomain1760162001000,
  RecordAcceptedTerms1760163000000,
  LetAccountsAwaitDeletion1760164000000,
  FindAccountsToDelete1760164000500,
  CountAccounts1760164001000,
  NameRolesOfOrganizations1760166000000,
  KeepRolesOfOrganizationsInside1760166001000,
  CheckGivenRoles1760166002000,
  CheckGivenRolesOnce1760166003000,
  KnowWhoDisabledClients1760167000000,
  LetMembershipsAwaitTheirUser1760169000000,
  FindRootsOfDrops1760170000000,
  KnowWhoSetDomainRules1760171000000,
  ReserveFormerSlugs1760171001000,
  KeepCodesOfEachRequest1760173000000,
  KnowWhoSetWebhooks1760175000000,
  LetProvidersBeWithoutUserinfo1760181000000,
  KeepFormerUsernames1760182000000,
  GiveUsersAttributes1760184000000,
  FindLocksInAudit1760185000000,
];
