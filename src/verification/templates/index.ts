export { DefaultTemplates } from './default-templates';
export { MessageTemplateAdministration } from './message-template-administration';
export { MessageTemplateController } from './message-template.controller';
export * from './message-template.entity';
export { MessageTemplateRepository } from './message-template.repository';
export * from './message-templates';
export { StoredTemplates } from './stored-templates';
export { TemplateTests } from './template-tests';
