import os
from google import genai

options = {"base_url": os.environ["BASE_URL"]}
client = genai.Client(api_key=os.environ["API_KEY"], http_options=options)
answer = client.models.generate_content(model="gemini-3.1-flash-image", contents="A fox in the snow")
assert any(part.inline_data for part in answer.candidates[0].content.parts)
