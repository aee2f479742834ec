/** First names from many countries. All seeded people and businesses are invented. */
export const firstNames = [
  'Amara',
  'Nikhil',
  'Sofia',
  'Wei',
  'Oluwaseun',
  'Maria',
  'Jamal',
  'Ingrid',
  'Mateo',
  'Priya',
  'Kenji',
  'Fatima',
  'Liam',
  'Zanele',
  'Anastasia',
  'Tomas',
  'Leila',
  'Kwame',
  'Chloe',
  'Diego',
  'Yuki',
  'Hassan',
  'Grace',
  'Bogdan',
  'Ximena',
  'Arjun',
  'Noor',
  'Elif',
  'Patrick',
  'Thandiwe',
  'Siobhan',
  'Jorge',
  'Mei',
  'Ravi',
  'Astrid',
  'Ibrahim',
  'Camila',
  'Dmitri',
  'Hana',
  'Samuel',
] as const

/** Last names. A long one and one with an apostrophe test layout and escaping. */
export const lastNames = [
  'Okafor',
  'Patel',
  'Rossi',
  'Zhang',
  'Adeyemi',
  'Gonzalez',
  'Washington',
  'Larsen',
  'Fernandez',
  'Iyer',
  'Tanaka',
  'Al-Rashid',
  "O'Brien",
  'Dlamini',
  'Petrova',
  'Novak',
  'Haddad',
  'Mensah',
  'Dubois',
  'Castillo',
  'Nakamura',
  'Demir',
  'Kim',
  'Ionescu',
  'Rivera',
  'Sharma',
  'Nguyen',
  'Yilmaz',
  'Murphy',
  'Mbeki',
  'MacAllister',
  'Vargas',
  'Chen',
  'Krishnan',
  'Lindqvist',
  'Diallo',
  'Silva',
  'Volkov',
  'Sato',
  'Featherstonehaugh',
] as const

export const businessNames = [
  'Harbor Light Dental Group',
  'Blue Mesa Logistics',
  'Cedar & Stone Renovations',
  'Two Rivers Veterinary Clinic',
  'Larkspur Staffing',
  'Golden Spoon Catering',
  'Northgate Property Management',
  'Paper Crane Childcare',
  'Iron Peak Fitness',
  'Sunward Solar Installers',
  'Old Mill Bakery',
  'Quarter Note Music School',
  'Redwood Legal Services',
  'Seaside Auto Repair',
  'Maple Row Home Care',
  'Copper Kettle Coffee Roasters',
  'Brightline Tutoring',
  'Foxglove Florists',
  'Granite State Roofing',
  'Juniper Physical Therapy',
] as const

export const accountNames = [
  'Brightwater Property Group',
  'Fairview Payroll',
  'Lakeshore Insurance Services',
  'Meridian Marketplace',
  'Pinecrest Staffing Partners',
  'Harvest Table Foods',
  'Summit Claims Administration',
  'Riverside Medical Billing',
  'Kestrel Freight Exchange',
  'Oak & Ember Rentals',
  'Tidewater Creator Payouts',
  'Compass Tuition Finance',
  'Aurora Freight Collective',
  'Mwangi & Daughters Imports',
  'Nordlys Energy Cooperative',
  'Casa Verde Lettings',
] as const

/** Real routing numbers, except those of Gringotts, the test bank of an aggregator. */
export const banks = [
  { name: 'JPMORGAN CHASE BANK, NA', routing: '021000021' },
  { name: 'BANK OF AMERICA, N.A.', routing: '026009593' },
  { name: 'WELLS FARGO BANK, NA', routing: '121000248' },
  { name: 'CITIBANK NA', routing: '021000089' },
  { name: 'U.S. BANK, NA', routing: '091000022' },
  { name: 'PNC BANK, NA', routing: '043000096' },
  { name: 'NAVY FEDERAL CREDIT UNION', routing: '256074974' },
  { name: 'Gringotts', routing: '929710751' },
] as const

export const cities = [
  { city: 'Austin', state: 'TX', zip: '78701' },
  { city: 'Portland', state: 'OR', zip: '97205' },
  { city: 'Raleigh', state: 'NC', zip: '27601' },
  { city: 'Albuquerque', state: 'NM', zip: '87102' },
  { city: 'Minneapolis', state: 'MN', zip: '55401' },
  { city: 'Brooklyn', state: 'NY', zip: '11201' },
] as const

export const streets = [
  'Alder Street',
  'Mission Avenue',
  'Old Orchard Road',
  'Lakeview Drive',
  'King Street',
  'Sycamore Lane',
] as const

export const payoutDescriptions = [
  'Payroll for contractors',
  'Claim settlement',
  'Vendor payment',
  'Security deposit return',
  'Driver earnings',
  'Marketplace seller payout',
  'Expense reimbursement',
  'Creator earnings',
  'Insurance premium refund',
  'Tuition refund',
] as const

export const chargeDescriptions = [
  'Monthly rent',
  'Insurance premium',
  'Invoice payment',
  'Membership dues',
  'Tuition instalment',
  'Equipment lease',
  'Supply order',
  'Utility bill',
  'Loan repayment',
  'Subscription',
] as const

/**
 * Names that break unsafe pages: markup, a right-to-left override, emoji, an SQL injection, 200
 * characters, Arabic letters.
 */
export const edgeCaseNames = [
  '<script>alert("name")</script>',
  '\u202Eevil\u202C Reversed Trading',
  'Zoë 🦊🏳️‍🌈 Müller-Šimková',
  "Robert'); DROP TABLE customers;--",
  `${'Wolfeschlegelsteinhausenbergerdorff '.repeat(6)}`.slice(0, 199).trim().padEnd(200, 'x'),
  'نور الدين الحسيني',
] as const

/**
 * Return codes of the ACH network, each with the status details of a returned payment. R01 is
 * listed twice, so it is picked twice as often.
 */
export const weightedReturnCodes = [
  {
    code: 'R01',
    reason: 'insufficient_funds',
    source: 'bank_decline',
    message: 'Insufficient funds',
  },
  {
    code: 'R01',
    reason: 'insufficient_funds',
    source: 'bank_decline',
    message: 'Insufficient funds',
  },
  { code: 'R02', reason: 'closed_bank_account', source: 'bank_decline', message: 'Account closed' },
  {
    code: 'R03',
    reason: 'invalid_bank_account',
    source: 'bank_decline',
    message: 'No account, or unable to locate account',
  },
  {
    code: 'R05',
    reason: 'disputed',
    source: 'customer_dispute',
    message: 'Unauthorized debit to a consumer account',
  },
  {
    code: 'R10',
    reason: 'disputed',
    source: 'customer_dispute',
    message: 'Customer advises the entry is not authorized',
  },
  { code: 'R16', reason: 'frozen_bank_account', source: 'bank_decline', message: 'Account frozen' },
  {
    code: 'R29',
    reason: 'disputed',
    source: 'customer_dispute',
    message: 'Corporate customer advises the entry is not authorized',
  },
] as const
