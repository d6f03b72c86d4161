import os
from openai import OpenAI

client = OpenAI(base_url=os.environ["BASE_URL"] + "/v1", api_key=os.environ["API_KEY"])
video = client.videos.create_and_poll(model="sora-2", prompt="A fox in the snow", seconds="4")
assert video.status == "completed", video
assert client.videos.download_content(video.id).read()[4:8] == b"ftyp"
assert client.images.generate(prompt="A fox in the snow").data[0].b64_json
