import { notFound } from 'next/navigation'

/**
 * Shows "not found" for unknown paths within the dashboard's frame, so that the menu keeps the
 * environment and the account.
 */
export default function UnknownPage() {
  notFound()
}
