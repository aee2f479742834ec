import { isDeepStrictEqual } from 'node:util'
import { groupBy } from './group-by'
import type { ServiceConnectionPool } from './service-connection-pool'

type ListedPayment = {
  id: string
  payment_type: string
  status: string
  amount: string
  created_at: string
  updated_at: string
}

const pageSize = 1_000

async function fetchAllPayments(service: ServiceConnectionPool): Promise<ListedPayment[]> {
  const allPayments: ListedPayment[] = []
  for (let page = 1; ; page++) {
    const { json } = await service.get(`/v1/payments?page_size=${pageSize}&page_number=${page}`)
    allPayments.push(...(json.data as ListedPayment[]))
    if (allPayments.length >= Number(json.meta.total_items)) return allPayments
  }
}

const fetchPaymentTotal = async (service: ServiceConnectionPool, query: string): Promise<number> =>
  Number((await service.get(`/v1/payments?page_size=1&${query}`)).json.meta.total_items)

async function findTotalFaults(
  service: ServiceConnectionPool,
  all: readonly ListedPayment[],
): Promise<string[]> {
  const paymentsByQuery = groupBy(
    all,
    ({ payment_type, status }) => `payment_type=${payment_type}&payment_status=${status}`,
  )
  const faults: string[] = []
  for (const [query, group] of paymentsByQuery) {
    const foundTotal = await fetchPaymentTotal(service, query)
    if (foundTotal !== group.length)
      faults.push(`${query} finds ${foundTotal}, the payments say ${group.length}`)
  }
  return faults
}

/**
 * Compares the first page of the search, in each sort order, with the values of all payments, which
 * this function sorts. Returns an error text per wrong order.
 */
async function findOrderFaults(
  service: ServiceConnectionPool,
  all: readonly ListedPayment[],
): Promise<string[]> {
  const sortKeyParsers = { created_at: Date.parse, updated_at: Date.parse, amount: Number } as const
  const faults: string[] = []
  for (const key of ['created_at', 'updated_at', 'amount'] as const) {
    const expectedValues = all
      .map((payment) => sortKeyParsers[key](payment[key]))
      .toSorted((left, right) => right - left)
    const { json } = await service.get(`/v1/payments?page_size=200&sort_by=${key}&sort_order=desc`)
    const listedValues = (json.data as ListedPayment[]).map((payment) =>
      sortKeyParsers[key](payment[key]),
    )
    if (listedValues.some((value, index) => value !== expectedValues[index]))
      faults.push(`the order by ${key} is not that of the payments`)
  }
  return faults
}

async function findSearchFaults(
  service: ServiceConnectionPool,
  all: readonly ListedPayment[],
): Promise<string[]> {
  const duplicateCount = all.length - new Set(all.map(({ id }) => id)).size
  return [
    ...(duplicateCount === 0 ? [] : [`${duplicateCount} payments are listed twice`]),
    ...(await findTotalFaults(service, all)),
    ...(await findOrderFaults(service, all)),
  ]
}

/**
 * Compares the totals and sort orders of the payment search with a list of all payments, and
 * returns an error text per difference. A difference means that the search columns in memory, which
 * each start rebuilds, do not match the store. Repeats the comparison if a timer changed a payment
 * during it.
 */
export async function checkSearchColumns(service: ServiceConnectionPool): Promise<string[]> {
  for (let all = await fetchAllPayments(service); ; ) {
    const searchFaults = await findSearchFaults(service, all)
    const latestPayments = await fetchAllPayments(service)
    if (searchFaults.length === 0 || isDeepStrictEqual(all, latestPayments)) return searchFaults
    all = latestPayments
  }
}
