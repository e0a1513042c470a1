/** The user at the simulated providers. */
export interface SimulatedPerson {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  /** National number with eleven digits. */
  readonly mobile: string;
  readonly avatar: string;
}

export const ANN: SimulatedPerson = {
  id: '4711',
  name: '安安 Ann',
  email: 'ann@idp.example',
  emailVerified: true,
  mobile: '13800138000',
  avatar: 'https://pictures.example/ann.png',
};
