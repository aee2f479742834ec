import { capitalizeFirst } from '@/lib/formats'

const specialSpellings = new Map(
  Object.entries({
    ach: 'ACH',
    api: 'API',
    dob: 'date of birth',
    id: 'ID',
    ids: 'IDs',
    ip: 'IP',
    sha256: 'SHA-256',
    sso: 'single sign-on',
    ssn: 'SSN',
    url: 'URL',
  }),
)

/** The label of a service field: `customer_details.id` is `Customer details · ID`. */
export const formatFieldLabel = (name: string): string =>
  name
    .split('.')
    .map((part) => part.split('_').map((word) => specialSpellings.get(word) ?? word))
    .map((words, at) => (at === 0 ? capitalizeFirst(words.join(' ')) : words.join(' ')))
    .join(' · ')
