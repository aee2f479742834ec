import type { Customer } from '@/sandbox/customers/customer-schema'
import { nameScore, nameThresholds } from './match-names'
import type { PaykeyConfig } from './paykey-schema'

export type NamedCustomer = Pick<Customer, 'name' | 'type'>

const relatives = ['Marisol', 'Tobias', 'Ifeoma', 'Henrik', 'Saoirse', 'Farid', 'Lucía', 'Takumi']
const companies = ['Holdings', 'Ventures LLC', 'Group Inc.', 'Trust']
const strangers = ['Quentin Brzozowski', 'Yvonne Fjeldstad', 'Bukola Uzochukwu', 'Jiří Vlk', 'Pham Thi Xuan', 'Gwyn Pryce', 'Ömer Tunç']

function isPartial(name: string, other: string): boolean {
  const score = nameScore(name, other)
  return score >= nameThresholds.partial && score <= nameThresholds.close
}

/** Returns the list rotated by an offset derived from the name, so that customers get different relatives. */
function inTurn(list: readonly string[], name: string): string[] {
  const start = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** Returns a partly similar name: a relative, a company with the same first word, or the first half if neither fits. */
export function partlyLike({ name, type }: NamedCustomer): string {
  const words = name.trim().split(/\s+/)
  const [first = name, last = name] = [words[0], words.at(-1)]
  const similar =
    type === 'business'
      ? inTurn(companies, name).map((company) => `${first} ${company}`)
      : inTurn(relatives, name).map((relative) => `${relative} ${last}`)
  const letters = [...name]
  return similar.find((one) => isPartial(one, name)) ?? letters.slice(0, Math.ceil(letters.length / 2)).join('')
}

/** Returns the invented name that is least similar to the customer's. */
export function unlike({ name }: NamedCustomer): string {
  const [first = '', ...others] = inTurn(strangers, name)
  return others.reduce((best, other) => (nameScore(other, name) < nameScore(best, name) ? other : best), first)
}

/** Returns the name with its first word cut to the initial, as banks print it; `partlyLike` if the name is too short for that. */
export function initialed(customer: NamedCustomer): string {
  const [first = '', ...rest] = customer.name.trim().split(/\s+/)
  const short = [[...first][0] ?? '', ...rest].join(' ')
  return isPartial(short, customer.name) ? short : partlyLike(customer)
}

/** Returns the account holders as an aggregator would report them, so that the evidence matches the outcome. */
export function holderNames(customer: NamedCustomer, outcome: PaykeyConfig['sandbox_outcome']): string[] {
  if (outcome === 'review') return [partlyLike(customer)]
  return [outcome === 'rejected' ? unlike(customer) : customer.name]
}
