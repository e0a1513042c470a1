export type { FormProps } from './form';
export type { TypedMethod } from './login-fields';
export { LoginForm, type LoginFormProps } from './login-form';
export { RegisterForm, type RegisterFormProps } from './register-form';
export { ResetForm, type ResetFormProps } from './reset-form';
export { SecondFactorForm, type SecondFactorFormProps } from './second-factor-form';
export type { Language } from './texts';
