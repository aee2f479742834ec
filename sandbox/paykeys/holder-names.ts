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

/** The list from another place on for each name, so that not everybody has the same relative. */
function inTurn(list: readonly string[], name: string): string[] {
  const start = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % list.length
  return [...list.slice(start), ...list.slice(0, start)]
}

/** A name that is like another in part: a relative's, a company's of the same owner, or the first half where neither fits. */
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

/** A name with nothing in common with another, as far as there is one among the invented. */
export function unlike({ name }: NamedCustomer): string {
  const [first = '', ...others] = inTurn(strangers, name)
  return others.reduce((best, other) => (nameScore(other, name) < nameScore(best, name) ? other : best), first)
}

/** The name with its first word cut to the initial, as banks print it; one that is too short for that as `partlyLike` gives it. */
export function initialed(customer: NamedCustomer): string {
  const [first = '', ...rest] = customer.name.trim().split(/\s+/)
  const short = [[...first][0] ?? '', ...rest].join(' ')
  return isPartial(short, customer.name) ? short : partlyLike(customer)
}

/** Who an aggregator says holds the account, so that the evidence fits the outcome a test asks for. */
export function holderNames(customer: NamedCustomer, outcome: PaykeyConfig['sandbox_outcome']): string[] {
  if (outcome === 'review') return [partlyLike(customer)]
  return [outcome === 'rejected' ? unlike(customer) : customer.name]
}
