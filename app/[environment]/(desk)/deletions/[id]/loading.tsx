import { RecordSkeleton } from '@/components/kits/record/record-skeleton'

const Loading = () => <RecordSkeleton noun="request" />

export default Loading
