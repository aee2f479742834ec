import { notFound } from 'next/navigation'

/** Shows "not found" in the dashboard's frame, whose menu keeps the environment and the account. */
export default function UnknownPage() {
  notFound()
}
