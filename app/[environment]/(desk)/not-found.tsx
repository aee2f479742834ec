import { NotHere } from '@/components/shell/not-here'

export default function DeskNotFound() {
  return <NotHere />
}
