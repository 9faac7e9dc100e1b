export default function Missions() {
  return null
}
