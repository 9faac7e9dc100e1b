-- Takes from buckets by the generic cell rate algorithm, for several calls that
-- take alike, one after the other. A key keeps its bucket's theoretical arrival
-- time, in microseconds on Redis's clock. The arguments: how many calls, and for
-- each key the interval of one, how many the bucket holds, how many are taken.
-- It answers for each call and key whether they were, how far the time lies
-- ahead, and how long to wait. Behind a bucket that says no, a call takes
-- nothing.
local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
local at, answer = {}, {}
for i, key in ipairs(KEYS) do
  at[i] = math.max(tonumber(redis.call('GET', key) or now), now)
end
for call = 1, tonumber(ARGV[1]) do
  local refused = false
  for i = 1, #KEYS do
    local interval, holds, take = tonumber(ARGV[3 * i - 1]), tonumber(ARGV[3 * i]), tonumber(ARGV[3 * i + 1])
    local after = math.max(at[i] + interval * take, now)
    local wait = at[i] + interval * take - holds * interval - now
    local ok = take <= 0 or (wait <= 0 and not refused)
    if ok then
      at[i] = after
    else
      refused = true
    end
    local n = 3 * ((call - 1) * #KEYS + i - 1)
    answer[n + 1] = ok and 1 or 0
    answer[n + 2] = math.ceil(at[i] - now)
    answer[n + 3] = ok and 0 or math.ceil(math.max(wait, 0))
  end
end
for i, key in ipairs(KEYS) do
  if tonumber(ARGV[3 * i + 1]) ~= 0 then
    if at[i] > now then
      redis.call('SET', key, string.format('%.3f', at[i]), 'PX', math.ceil((at[i] - now) / 1000))
    else
      redis.call('DEL', key)
    end
  end
end
return answer
